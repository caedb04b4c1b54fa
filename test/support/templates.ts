import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import * as v from 'valibot';
import { type Environment, readEnvironment } from '#infra/aws/environment.ts';
import { addStacks } from '#infra/aws/stacks.ts';
import { functionNames } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { record, resolver, type Template, templateSchema } from './builders/references.ts';

/** A resource of a template. Its references are replaced by the values that AWS would return. */
export interface Resource {
	/** The nested stack whose template has it; empty: that of the stack itself. */
	readonly nestedIn: string;
	readonly id: string;
	readonly type: string;
	readonly properties: Readonly<Record<string, unknown>>;
	readonly dependsOn: readonly string[];
	/** DeletionPolicy and UpdateReplacePolicy. */
	readonly policies: readonly [string | undefined, string | undefined];
	/** How an update changes it. */
	readonly updatePolicy: Readonly<Record<string, unknown>>;
}

/** A synthesized stack. */
export interface SynthesizedStack {
	/** Its resources, with those of its nested stacks. */
	readonly resources: readonly Resource[];
	/** Its template and those of its nested stacks. */
	readonly templates: readonly OpenedTemplate[];
	readonly terminationProtection: boolean;
	readonly tags: Readonly<Record<string, string>>;
	/** The names of the stacks that are deployed before it. */
	readonly dependencies: readonly string[];
	/** The template file, without those of nested stacks, whose hashes it has. */
	readonly text: string;
	/** The names of its outputs and exports. */
	readonly outputs: readonly string[];
	/** The value of its output ServiceUrl. */
	readonly serviceUrl: unknown;
}

/** The synthesized stacks of an environment. */
export interface Stacks {
	readonly issuer: SynthesizedStack;
	readonly data: SynthesizedStack;
	readonly service: SynthesizedStack;
	/** The resources of all three stacks. */
	readonly resources: readonly Resource[];
	readonly settings: Environment;
	/** The folder of the cloud assembly. */
	readonly folder: string;
}

const cdkJsonSchema = v.pipe(v.string(), v.parseJson(), v.object({ context: record }));

const nestedSchema = v.object({ TemplateURL: v.unknown(), Parameters: v.optional(record, {}) });

const assetsSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({
		files: v.record(
			v.string(),
			v.object({
				source: v.object({ path: v.string() }),
				destinations: v.record(v.string(), v.object({ objectKey: v.string() })),
			}),
		),
	}),
);

const functionSchema = v.object({
	FunctionName: v.string(),
	Description: v.string(),
	Runtime: v.string(),
	Architectures: v.array(v.string()),
	Handler: v.string(),
	Code: v.object({ S3Key: v.string() }),
	MemorySize: v.number(),
	Timeout: v.number(),
	TracingConfig: v.optional(v.object({ Mode: v.string() })),
	VpcConfig: v.optional(v.object({ SubnetIds: v.array(v.string()), SecurityGroupIds: v.array(v.string()) })),
	LoggingConfig: v.object({ LogGroup: v.string() }),
	Role: v.string(),
	ReservedConcurrentExecutions: v.optional(v.number()),
	Environment: v.object({ Variables: v.record(v.string(), v.string()) }),
});

/** Returns the settings of an environment in cdk.json. `overrides` replaces some of them. */
export function settingsOf(env: string, overrides: Readonly<Record<string, unknown>> = {}): Environment {
	const context = new Map(Object.entries({ ...projectContext(), env, ...overrides }));
	return readEnvironment((key) => context.get(key));
}

/** Returns the setting `vpc` of a private network. */
export function makeVpc() {
	return {
		vpcId: 'vpc-0123456789abcdef0',
		subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
		securityGroupIds: ['sg-0123456789abcdef0'],
	};
}

/** Builds the CDK app of an environment as `npx cdk` does, without synthesizing it. */
export function makeApp(outdir: string, bundles: string, settings: Environment): App {
	const app = new App({ outdir, context: projectContext() });
	addStacks(app, settings, bundles);
	return app;
}

/** Writes a bundle that holds its name only for every function. Tests tell by it which function has which bundle, and need no more code. */
export function stubBundles(folder: string): void {
	for (const name of functionNames) {
		mkdirSync(join(folder, name), { recursive: true });
		writeFileSync(join(folder, name, 'index.js'), `// ${name}\n`);
	}
}

/**
 * Prepares to synthesize environments in this process.
 *
 * @param writeBundles writes the functions' bundles to a folder
 * @returns `synthesize`, the folder of the bundles, and `close`, which deletes all files
 */
export async function openSynthesis(writeBundles: (folder: string) => void | Promise<void>) {
	const root = mkdtempSync(join(tmpdir(), 'caudal-synthesis-'));
	const bundles = join(root, 'bundles');
	await writeBundles(bundles);

	/** Synthesizes an environment of cdk.json. `overrides` replaces some of its settings. */
	const synthesize = (env: string, overrides: Readonly<Record<string, unknown>> = {}): Stacks => {
		const settings = settingsOf(env, overrides);
		const folder = mkdtempSync(join(root, `${env}-`));
		const assembly = makeApp(folder, bundles, settings).synth();
		const exportedValues = new Map<string, string>();
		const read = (name: 'issuer' | 'data' | 'service'): SynthesizedStack => {
			const artifact = assembly.getStackByName(resourceNames(env).stack(name));
			const text = readFileSync(artifact.templateFullPath, 'utf8');
			const dependencies = artifact.dependencies.filter((each) => each instanceof CloudFormationStackArtifact);
			const assets = readAssets(artifact.templateFullPath.replace(/template\.json$/, 'assets.json'));
			const templates = openTemplates(text, (file) => join(folder, assets[file] ?? file), exportedValues);
			const [{ template, resolve }] = templates;
			for (const { Value: value, Export: exported } of Object.values(template.Outputs))
				if (exported !== undefined) exportedValues.set(exported.Name, v.parse(v.string(), resolve(value)));
			return {
				templates,
				resources: templates.flatMap(resourcesOf),
				terminationProtection: artifact.terminationProtection === true,
				tags: artifact.tags,
				dependencies: dependencies.map(({ id }) => id).sort(),
				text,
				outputs: Object.keys(template.Outputs),
				serviceUrl: resolve(template.Outputs['ServiceUrl']?.Value ?? null),
			};
		};
		// In order of deployment, because a stack imports values of the stacks before it.
		const stacks = { issuer: read('issuer'), data: read('data'), service: read('service') };
		return { ...stacks, resources: Object.values(stacks).flatMap(({ resources }) => resources), settings, folder };
	};

	return { bundles, synthesize, close: () => rmSync(root, { recursive: true, force: true }) };
}

/** A template, and what replaces the references in it. */
export interface OpenedTemplate {
	/** The id of a nested stack in the app; empty for the stack itself. */
	readonly name: string;
	readonly template: Template;
	readonly resolve: (value: unknown) => unknown;
}

/**
 * Opens the template of a stack, with those of its nested stacks. Parameters and outputs of nested stacks are replaced as CloudFormation does.
 *
 * @param pathOf returns the file of an uploaded template
 */
function openTemplates(
	text: string,
	pathOf: (uploaded: string) => string,
	exported: ReadonlyMap<string, string>,
): [OpenedTemplate, ...OpenedTemplate[]] {
	const parse = (json: string): Template => v.parse(v.pipe(v.string(), v.parseJson(), templateSchema), json);
	const template = parse(text);
	const resolve = resolver(template, exported, (id, attribute) => {
		const stack = nested.get(id);
		return attribute === 'Ref' ? undefined : stack?.resolve(stack.template.Outputs[attribute.replace('Outputs.', '')]?.Value);
	});
	const nested = new Map<string, OpenedTemplate>();
	for (const [id, { Type: type, Properties: properties }] of Object.entries(template.Resources)) {
		if (type !== 'AWS::CloudFormation::Stack') continue;
		const { TemplateURL: url, Parameters: parameters } = v.parse(nestedSchema, properties);
		const inner = parse(readFileSync(pathOf(basename(v.parse(v.string(), resolve(url)))), 'utf8'));
		const [name = id] = id.split('NestedStack');
		nested.set(id, { name, template: inner, resolve: resolver(inner, exported, (parameter) => resolve(parameters[parameter])) });
	}
	return [{ name: '', template, resolve }, ...nested.values()];
}

/** Returns the resources of a template. */
function resourcesOf({ name: nestedIn, template, resolve }: OpenedTemplate): Resource[] {
	return Object.entries(template.Resources).map(([id, resource]) => ({
		nestedIn,
		id,
		type: resource.Type,
		properties: v.parse(record, resolve(resource.Properties)),
		dependsOn: resource.DependsOn,
		policies: [resource.DeletionPolicy, resource.UpdateReplacePolicy] as const,
		updatePolicy: v.parse(record, resolve(resource.UpdatePolicy)),
	}));
}

/** Returns which file is uploaded under which name. @param manifest the file of CDK that lists the assets of a stack */
function readAssets(manifest: string): Readonly<Record<string, string>> {
	const { files } = v.parse(assetsSchema, readFileSync(manifest, 'utf8'));
	return Object.fromEntries(
		Object.values(files).flatMap(({ source, destinations }) =>
			Object.values(destinations).map(({ objectKey }) => [objectKey, source.path]),
		),
	);
}

/**
 * Returns the resources of one type.
 *
 * @throws ValiError when the properties of one do not match `schema`
 */
export function ofType<Schema extends v.GenericSchema>(
	resources: readonly Resource[],
	type: string,
	schema: Schema,
): (Omit<Resource, 'properties'> & { readonly properties: v.InferOutput<Schema> })[] {
	return resources
		.filter((resource) => resource.type === type)
		.map((resource) => ({ ...resource, properties: v.parse(schema, resource.properties) }));
}

/**
 * Returns the item of a list of one.
 *
 * @throws Error when the list has no item or several
 */
export function only<Item>(items: readonly Item[]): Item {
	const [item, ...rest] = items;
	if (item === undefined || rest.length > 0) throw new Error(`Expected one item, got ${items.length}.`);
	return item;
}

/** Returns the functions of an environment. */
export function functionsIn({ resources }: Pick<Stacks, 'resources'>) {
	return ofType(resources, 'AWS::Lambda::Function', functionSchema);
}

/** Returns the overrides with which an environment of cdk.json has no identity provider of `loginSso`, and no canary, which needs it. */
export function withoutAuthUrl(env: string): Readonly<Record<string, unknown>> {
	const { environments } = v.parse(v.object({ environments: v.record(v.string(), record) }), projectContext());
	const kept = Object.entries(environments[env] ?? {}).filter(([name]) => !['authUrl', 'idpProductId', 'canary'].includes(name));
	return { environments: { [env]: Object.fromEntries(kept) } };
}

function projectContext(): Record<string, unknown> {
	return v.parse(cdkJsonSchema, readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')).context;
}
