/** The document as types, inferred from what it is made of. Only types are imported from here: no client loads a schema. */
import type * as v from 'valibot';
import type { ApiEndpointName, apiEndpoints } from './api-endpoints.ts';
import type { ComponentName, components } from './components.ts';
import type { operations } from './operations.ts';
import type { parameters } from './parameters.ts';

/** The named schemas as types. */
export type Schemas = { readonly [Name in ComponentName]: v.InferInput<(typeof components)[Name]['schema']> };

/** The body of an endpoint's answer with status 200. */
export type AnswerBody<Name extends ApiEndpointName> = Schemas[(typeof operations)[Name]['answer']['schema']];

/** What the typed client (openapi-fetch) knows of each path, in the form of openapi-typescript. */
export type Paths = {
	readonly [Path in ApiRow['path']]: {
		readonly [Row in Extract<ApiRow, { readonly path: Path }> as Lowercase<Row['method']>]: BodyOf<Row['name']> & {
			readonly parameters: ParametersByPlace<ParameterOf<Row>>;
			readonly responses: {
				readonly 200: { readonly content: { readonly 'application/json': AnswerBody<Row['name']> } };
				readonly default: { readonly content: { readonly 'application/json': unknown } };
			};
		};
	};
};

type ApiRow = (typeof apiEndpoints)[number];

/** The body of a request. A request without `required` may have none. */
type BodyOf<Name extends ApiEndpointName> = (typeof operations)[Name] extends { readonly request: infer Request }
	? Request extends { readonly schema: infer Schema extends ComponentName; readonly required: infer Required }
		? Required extends true
			? { readonly requestBody: ContentOf<Request, Schema> }
			: { readonly requestBody?: ContentOf<Request, Schema> }
		: never
	: unknown;

type ContentOf<Request, Schema extends ComponentName> = {
	readonly content: {
		readonly [Media in Request extends { readonly isForm: true }
			? 'application/x-www-form-urlencoded'
			: 'application/json']: Schemas[Schema];
	};
};

type Parameter = (typeof parameters)[keyof typeof parameters];

/** The parameters of an endpoint: those of its path, and those that its operation names. */
type ParameterOf<Row extends ApiRow> =
	| PathParameterOf<Row['path']>
	| ((typeof operations)[Row['name']] extends { readonly parameters: readonly (infer Key extends keyof typeof parameters)[] }
			? (typeof parameters)[Key]
			: never);

type PathParameterOf<Path extends string, Each extends Parameter = Parameter> = Each extends { readonly in: 'path' }
	? Path extends `${string}{${Each['name']}}${string}`
		? Each
		: never
	: never;

type RequiredOf<Each extends Parameter> = Extract<Each, { readonly required: true }>;

type ParametersByPlace<Each extends Parameter> = {
	readonly [Place in RequiredOf<Each>['in']]: ParametersIn<Extract<Each, { readonly in: Place }>>;
} & {
	readonly [Place in Exclude<Each['in'], RequiredOf<Each>['in']>]?: ParametersIn<Extract<Each, { readonly in: Place }>>;
};

type ParametersIn<Each extends Parameter> = {
	readonly [One in RequiredOf<Each> as One['name']]: ParameterValue<One['schema']>;
} & {
	readonly [One in Exclude<Each, RequiredOf<Each>> as One['name']]?: ParameterValue<One['schema']>;
};

/** The values that the JSON Schema of a parameter describes. */
type ParameterValue<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
	? Value
	: Schema extends { readonly type: 'array'; readonly items: infer Item }
		? ParameterValue<Item>[]
		: Schema extends { readonly type: 'integer' | 'number' }
			? number
			: string;
