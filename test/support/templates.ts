import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import * as v from 'valibot';
import type { writeBundles } from '#infra/aws/bundle.ts';
import { type Environment, readEnvironment } from '#infra/aws/environment.ts';
import { addStacks } from '#infra/aws/stacks.ts';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { record, resolver, templateSchema } from './builders/references.ts';

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
	/** The names of what it prints when it is deployed, and of what others import. */
	readonly outputs: readonly string[];
}

/** The stacks of an environment. */
export interface Stacks {
	readonly issuer: SynthesizedStack;
	readonly data: SynthesizedStack;
	readonly service: SynthesizedStack;
	/** The resources of all of them. */
	readonly resources: readonly Resource[];
	/** What they were made by. */
	readonly settings: Environment;
	/** Where what is deployed was written. */
	readonly folder: string;
}

const settingsSchema = v.pipe(v.string(), v.parseJson(), v.object({ context: record }));

/** The context of cdk.json. */
export const projectContext = (): Record<string, unknown> =>
	v.parse(settingsSchema, readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')).context;

/** An environment's settings as cdk.json has them, with some in their place. */
export const settingsOf = (env: string, settings: Readonly<Record<string, unknown>> = {}): Environment => {
	const context = new Map(Object.entries({ ...projectContext(), env, ...settings }));
	return readEnvironment((key) => context.get(key));
};

/** The app of an environment as CDK's CLI runs it; not synthesized yet. */
export const makeApp = (outdir: string, bundles: Readonly<Record<EndpointName, string>>, settings: Environment): App => {
	const app = new App({ outdir, context: projectContext() });
	addStacks(app, settings, bundles);
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

	/** @param changes settings in place of those of cdk.json */
	const synthesize = (env: string, changes: Readonly<Record<string, unknown>> = {}): Stacks => {
		const settings = settingsOf(env, changes);
		const folder = mkdtempSync(join(root, `${env}-`));
		const assembly = makeApp(folder, bundles, settings).synth();
		const exported = new Map<string, string>();
		const read = (name: 'issuer' | 'data' | 'service'): SynthesizedStack => {
			const artifact = assembly.getStackByName(resourceNames(env).stack(name));
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
				outputs: Object.keys(written.Outputs),
			};
		};
		// In the order in which they are deployed: a stack imports from those before it.
		const stacks = { issuer: read('issuer'), data: read('data'), service: read('service') };
		return { ...stacks, resources: Object.values(stacks).flatMap(({ resources }) => resources), settings, folder };
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
