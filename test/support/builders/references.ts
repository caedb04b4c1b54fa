import * as v from 'valibot';

/** The AWS account and region of the templates in tests. */
export const account = '123456789012';
export const region = 'eu-west-1';

/** A JSON object. */
export const record = v.record(v.string(), v.unknown());

const resourceSchema = v.strictObject({
	Type: v.string(),
	Properties: v.optional(record, {}),
	DependsOn: v.optional(v.array(v.string()), []),
	DeletionPolicy: v.optional(v.string()),
	UpdateReplacePolicy: v.optional(v.string()),
	UpdatePolicy: v.optional(record, {}),
	Metadata: v.optional(record),
});
type TemplateResource = v.InferOutput<typeof resourceSchema>;

const outputSchema = v.strictObject({
	/** CloudFormation accepts only literal strings as descriptions. */
	Description: v.optional(v.string()),
	Value: v.unknown(),
	Export: v.optional(v.object({ Name: v.string() })),
});

/** A CloudFormation template. */
export const templateSchema = v.object({
	Resources: v.record(v.string(), resourceSchema),
	Outputs: v.optional(v.record(v.string(), outputSchema), {}),
	/** Those of a nested stack. */
	Parameters: v.optional(v.record(v.string(), v.unknown()), {}),
});
export type Template = v.InferOutput<typeof templateSchema>;

const pseudoParameters: Readonly<Record<string, string>> = {
	'AWS::Partition': 'aws',
	'AWS::Region': region,
	'AWS::AccountId': account,
	'AWS::URLSuffix': 'amazonaws.com',
};

/** Makes the value of `Ref` or `Fn::GetAtt`. `property` reads a property of the resource; `id` is its logical id. */
type AttributeValue = (property: (name: string) => string, id: string) => string;

/** The values of `Ref` and `Fn::GetAtt`, by type of resource. A `Ref` that is not listed is the logical id. */
const attributeValues: Readonly<Record<string, Readonly<Record<string, AttributeValue>>>> = {
	'AWS::ApiGatewayV2::Api': { ApiEndpoint: (_, id) => `https://${id.toLowerCase()}.execute-api.${region}.amazonaws.com` },
	'AWS::ApiGatewayV2::DomainName': {
		Ref: (property) => property('DomainName'),
		RegionalDomainName: (_, id) => `d-${id.toLowerCase()}.execute-api.${region}.amazonaws.com`,
	},
	'AWS::Backup::BackupPlan': { BackupPlanId: (_, id) => id },
	'AWS::Backup::BackupVault': { BackupVaultName: (property) => property('BackupVaultName') },
	'AWS::CloudWatch::Alarm': { Arn: (_, id) => arnOf('cloudwatch', `alarm:${id}`) },
	'AWS::CloudWatch::CompositeAlarm': { Arn: (_, id) => arnOf('cloudwatch', `alarm:${id}`) },
	'AWS::Events::Rule': { Arn: (property) => arnOf('events', `rule/${property('Name')}`) },
	'AWS::IAM::ManagedPolicy': { Ref: (_, id) => `arn:aws:iam::${account}:policy/${id}` },
	'AWS::IAM::Role': { Arn: (_, id) => `arn:aws:iam::${account}:role/${id}` },
	'AWS::KMS::Key': { Arn: (_, id) => arnOf('kms', `key/${id}`) },
	'AWS::Lambda::Alias': { Ref: (property) => arnOf('lambda', `function:${property('FunctionName')}:${property('Name')}`) },
	'AWS::Lambda::Version': { Version: (_, id) => id },
	'AWS::Lambda::Function': {
		Ref: (property) => property('FunctionName'),
		Arn: (property) => arnOf('lambda', `function:${property('FunctionName')}`),
	},
	'AWS::Logs::LogGroup': {
		Ref: (property) => property('LogGroupName'),
		Arn: (property) => arnOf('logs', `log-group:${property('LogGroupName')}:*`),
	},
	'AWS::SecretsManager::Secret': { Ref: (property) => arnOf('secretsmanager', `secret:${property('Name')}-AbCdEf`) },
	'AWS::SNS::Topic': { Ref: (_, id) => arnOf('sns', id) },
	'AWS::SQS::Queue': { Arn: (property) => arnOf('sqs', property('QueueName')) },
};

/** Returns an ARN in the account and region of the tests. */
export function arnOf(service: string, resource: string): string {
	return `arn:aws:${service}:${region}:${account}:${resource}`;
}

/**
 * Returns a function that replaces the references in a value of a template, as CloudFormation does.
 *
 * @param exported the exported values of the stacks that were deployed before
 * @param otherValue the values from other stacks of the same deployment: of a parameter (`Ref`), or of an output of a nested stack
 */
export function resolver(
	template: Template,
	exported: ReadonlyMap<string, string>,
	otherValue: (id: string, attribute: string) => unknown = () => undefined,
): (value: unknown) => unknown {
	const functions: Readonly<Record<string, (argument: unknown) => unknown>> = {
		Ref: (argument) => {
			const id = v.parse(v.string(), argument);
			return pseudoParameters[id] ?? otherValue(id, 'Ref') ?? attributeOf(template.Resources, id, 'Ref');
		},
		'Fn::GetAtt': (argument) => {
			const [id, attribute] = v.parse(v.tuple([v.string(), v.string()]), argument);
			return otherValue(id, attribute) ?? attributeOf(template.Resources, id, attribute);
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
			if (value === undefined) throw new Error(`No earlier stack exports ${name}.`);
			return value;
		},
	};
	const resolve = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(resolve);
		if (!v.is(record, value)) return value;
		const entries = Object.entries(value);
		const [[name, argument] = ['', undefined]] = entries;
		const intrinsic = entries.length === 1 ? functions[name] : undefined;
		if (intrinsic !== undefined) return intrinsic(argument);
		if (name.startsWith('Fn::')) throw new Error(`The resolver does not implement ${name}.`);
		return Object.fromEntries(entries.map(([key, each]) => [key, resolve(each)]));
	};
	return resolve;
}

function attributeOf(resources: Readonly<Record<string, TemplateResource>>, id: string, attribute: string): string {
	const resource = resources[id];
	if (resource === undefined) throw new Error(`The template has no resource ${id}.`);
	const property = (name: string): string => v.parse(v.string(), resource.Properties[name], { message: `${id}.${name}` });
	const value = attributeValues[resource.Type]?.[attribute];
	if (value !== undefined) return value(property, id);
	if (attribute === 'Ref') return id;
	throw new Error(`The resolver does not know ${attribute} of ${resource.Type}.`);
}
