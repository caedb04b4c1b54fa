import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import * as v from 'valibot';
import type { writeBundles } from '../../infra/bundle/bundle.ts';
import { readEnvironment } from '../../infra/environment.ts';
import { addStacks } from '../../infra/stacks.ts';
import { type EndpointName, endpoints, namesIn } from '../../shared/contract.ts';

/** What AWS fills in, made up. */
export const account = '123456789012';
export const region = 'eu-west-1';

/** An ARN in the made-up account. */
export const arnOf = (service: string, resource: string): string => `arn:aws:${service}:${region}:${account}:${resource}`;

const pseudoParameters: Readonly<Record<string, string>> = {
	'AWS::Partition': 'aws',
	'AWS::Region': region,
	'AWS::AccountId': account,
};

const record = v.record(v.string(), v.unknown());
const isRecord = (value: unknown): value is Record<string, unknown> => v.is(record, value);

const resourceSchema = v.strictObject({
	Type: v.string(),
	Properties: v.optional(record, {}),
	DependsOn: v.optional(v.array(v.string()), []),
	DeletionPolicy: v.optional(v.string()),
	UpdateReplacePolicy: v.optional(v.string()),
});
type WrittenResource = v.InferOutput<typeof resourceSchema>;

const templateSchema = v.object({
	Resources: v.record(v.string(), resourceSchema),
	Outputs: v.optional(
		v.record(v.string(), v.object({ Value: v.unknown(), Export: v.optional(v.object({ Name: v.string() })) })),
		{},
	),
});
type Template = v.InferOutput<typeof templateSchema>;

/** A resource of a template, its references replaced by what AWS would answer. */
export interface Resource {
	readonly id: string;
	readonly type: string;
	readonly properties: Readonly<Record<string, unknown>>;
	readonly dependsOn: readonly string[];
	/** What becomes of it when it leaves its stack, and when it is replaced. */
	readonly policies: readonly [string | undefined, string | undefined];
}

/** A stack as it was synthesized. */
export interface SynthesizedStack {
	readonly resources: readonly Resource[];
	readonly terminationProtection: boolean;
	/** The stacks that are deployed before it. */
	readonly after: readonly string[];
	/** The template as it is uploaded. */
	readonly text: string;
	/** The same, parsed: its references are as they were. */
	readonly written: Template;
}

/** The stacks of an environment. */
export interface Stacks {
	readonly issuer: SynthesizedStack;
	readonly data: SynthesizedStack;
	readonly service: SynthesizedStack;
	/** The resources of all of them. */
	readonly resources: readonly Resource[];
	/** Where what is deployed was written. */
	readonly folder: string;
}

/** What `Ref` and `Fn::GetAtt` answer for a resource of a type; its logical id where nothing is said. */
const answers: Readonly<Record<string, Readonly<Record<string, (name: (property: string) => string, id: string) => string>>>> = {
	'AWS::ApiGatewayV2::Api': { ApiEndpoint: (_, id) => `https://${id.toLowerCase()}.execute-api.${region}.amazonaws.com` },
	'AWS::ApiGatewayV2::DomainName': {
		Ref: (name) => name('DomainName'),
		RegionalDomainName: (_, id) => `d-${id.toLowerCase()}.execute-api.${region}.amazonaws.com`,
	},
	'AWS::CloudWatch::Alarm': { Arn: (_, id) => arnOf('cloudwatch', `alarm:${id}`) },
	'AWS::IAM::ManagedPolicy': { Ref: (name) => `arn:aws:iam::${account}:policy/${name('ManagedPolicyName')}` },
	'AWS::IAM::Role': { Arn: (_, id) => `arn:aws:iam::${account}:role/${id}` },
	'AWS::KMS::Key': { Arn: (_, id) => arnOf('kms', `key/${id}`) },
	'AWS::Lambda::Function': {
		Ref: (name) => name('FunctionName'),
		Arn: (name) => arnOf('lambda', `function:${name('FunctionName')}`),
	},
	'AWS::Logs::LogGroup': {
		Ref: (name) => name('LogGroupName'),
		Arn: (name) => arnOf('logs', `log-group:${name('LogGroupName')}:*`),
	},
	'AWS::SecretsManager::Secret': { Ref: (name) => arnOf('secretsmanager', `secret:${name('Name')}-AbCdEf`) },
	'AWS::SNS::Topic': { Ref: (_, id) => arnOf('sns', id) },
};

const answerOf = (resources: Readonly<Record<string, WrittenResource>>, id: string, attribute: string): string => {
	const resource = resources[id];
	if (resource === undefined) throw new Error(`No resource ${id} is in the template.`);
	const name = (property: string): string => v.parse(v.string(), resource.Properties[property], { message: `${id}.${property}` });
	const answer = answers[resource.Type]?.[attribute];
	if (answer !== undefined) return answer(name, id);
	if (attribute === 'Ref') return id;
	throw new Error(`Nothing is known of ${attribute} of ${resource.Type}.`);
};

/** Replaces the references in a template, as CloudFormation does. */
const resolver = (template: Template, exported: ReadonlyMap<string, string>) => {
	const functions: Readonly<Record<string, (argument: unknown) => unknown>> = {
		Ref: (argument) => {
			const id = v.parse(v.string(), argument);
			return pseudoParameters[id] ?? answerOf(template.Resources, id, 'Ref');
		},
		'Fn::GetAtt': (argument) => {
			const [id, attribute] = v.parse(v.tuple([v.string(), v.string()]), argument);
			return answerOf(template.Resources, id, attribute);
		},
		'Fn::Join': (argument) => {
			const [separator, parts] = v.parse(v.tuple([v.string(), v.array(v.unknown())]), argument);
			return v.parse(v.array(v.string()), parts.map(resolve)).join(separator);
		},
		'Fn::Sub': (argument) =>
			v.parse(v.string(), argument).replace(/\$\{([^}]+)\}/g, (_, id: string) => String(resolve({ Ref: id }))),
		'Fn::ImportValue': (argument) => {
			const name = v.parse(v.string(), argument);
			const value = exported.get(name);
			if (value === undefined) throw new Error(`No stack before this one exports ${name}.`);
			return value;
		},
	};
	const resolve = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(resolve);
		if (!isRecord(value)) return value;
		const entries = Object.entries(value);
		const [[name, argument] = ['', undefined]] = entries;
		const known = entries.length === 1 ? functions[name] : undefined;
		if (known !== undefined) return known(argument);
		if (name.startsWith('Fn::')) throw new Error(`${name} is not known here.`);
		return Object.fromEntries(entries.map(([key, each]) => [key, resolve(each)]));
	};
	return resolve;
};

const settingsSchema = v.pipe(v.string(), v.parseJson(), v.object({ context: record }));

/** The context of cdk.json. */
export const projectContext = (): Record<string, unknown> =>
	v.parse(settingsSchema, readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')).context;

/** The app of an environment as CDK's CLI runs it, with settings in place of those of cdk.json; not synthesized yet. */
export const makeApp = (
	outdir: string,
	bundles: Readonly<Record<EndpointName, string>>,
	env: string,
	settings: Readonly<Record<string, unknown>> = {},
): App => {
	const app = new App({ outdir, context: { ...projectContext(), env, ...settings } });
	addStacks(
		app,
		readEnvironment((key) => app.node.tryGetContext(key)),
		bundles,
	);
	return app;
};

/** One folder for every function: enough where its code is of no concern. */
export const standIns = (folder: string): Readonly<Record<EndpointName, string>> => {
	const one = join(folder, 'stand-in');
	mkdirSync(one, { recursive: true });
	writeFileSync(join(one, 'index.js'), '');
	return Object.fromEntries(endpoints.map(({ name }) => [name, one])) as Record<EndpointName, string>;
};

/** Synthesizes in this process; what it writes is gone after `close`. */
export const openSynthesis = async (
	makeBundles: (folder: string) => Readonly<Record<EndpointName, string>> | ReturnType<typeof writeBundles>,
) => {
	const root = mkdtempSync(join(tmpdir(), 'caudal-synthesis-'));
	const bundles = await makeBundles(join(root, 'bundles'));

	/** @param settings in place of those of cdk.json */
	const synthesize = (env: string, settings: Readonly<Record<string, unknown>> = {}): Stacks => {
		const folder = mkdtempSync(join(root, `${env}-`));
		const assembly = makeApp(folder, bundles, env, settings).synth();
		const exported = new Map<string, string>();
		const read = (name: 'issuer' | 'data' | 'service'): SynthesizedStack => {
			const artifact = assembly.getStackByName(namesIn(env).stack(name));
			const text = readFileSync(artifact.templateFullPath, 'utf8');
			const after = artifact.dependencies.filter((each) => each instanceof CloudFormationStackArtifact);
			const written = v.parse(v.pipe(v.string(), v.parseJson(), templateSchema), text);
			const resolve = resolver(written, exported);
			for (const { Value: value, Export: exportedAs } of Object.values(written.Outputs))
				if (exportedAs !== undefined) exported.set(exportedAs.Name, v.parse(v.string(), resolve(value)));
			const resources = Object.entries(written.Resources).map(([id, resource]) => ({
				id,
				type: resource.Type,
				properties: v.parse(record, resolve(resource.Properties)),
				dependsOn: resource.DependsOn,
				policies: [resource.DeletionPolicy, resource.UpdateReplacePolicy] as const,
			}));
			return {
				resources,
				terminationProtection: artifact.terminationProtection === true,
				after: after.map(({ id }) => id).sort(),
				text,
				written,
			};
		};
		// In the order in which they are deployed: a stack imports from those before it.
		const stacks = { issuer: read('issuer'), data: read('data'), service: read('service') };
		return { ...stacks, resources: Object.values(stacks).flatMap(({ resources }) => resources), folder };
	};

	return { bundles, synthesize, close: () => rmSync(root, { recursive: true, force: true }) };
};

/** The resources of a type, with their properties in a form; throws where one has another. */
export const ofType = <Schema extends v.GenericSchema>(
	resources: readonly Resource[],
	type: string,
	schema: Schema,
): (Omit<Resource, 'properties'> & { readonly properties: v.InferOutput<Schema> })[] =>
	resources
		.filter((resource) => resource.type === type)
		.map((resource) => ({ ...resource, properties: v.parse(schema, resource.properties) }));

/** The only one there is; throws where there are none or more. */
export const only = <Item>(items: readonly Item[]): Item => {
	const [item, ...rest] = items;
	if (item === undefined || rest.length > 0) throw new Error(`There are ${items.length}, and not one.`);
	return item;
};

const functionSchema = v.object({
	FunctionName: v.string(),
	Description: v.string(),
	Runtime: v.string(),
	Architectures: v.array(v.string()),
	Handler: v.string(),
	Code: v.object({ S3Key: v.string() }),
	MemorySize: v.number(),
	Timeout: v.number(),
	TracingConfig: v.object({ Mode: v.string() }),
	LoggingConfig: v.object({ LogGroup: v.string() }),
	Role: v.string(),
	ReservedConcurrentExecutions: v.optional(v.number()),
	Environment: v.object({ Variables: v.record(v.string(), v.string()) }),
});

/** The functions of an environment. */
export const functionsIn = ({ resources }: Pick<Stacks, 'resources'>) =>
	ofType(resources, 'AWS::Lambda::Function', functionSchema);
