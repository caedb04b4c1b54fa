import * as v from 'valibot';

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

/** An object of JSON. */
export const record = v.record(v.string(), v.unknown());
const isRecord = (value: unknown): value is Record<string, unknown> => v.is(record, value);

const resourceSchema = v.strictObject({
	Type: v.string(),
	Properties: v.optional(record, {}),
	DependsOn: v.optional(v.array(v.string()), []),
	DeletionPolicy: v.optional(v.string()),
	UpdateReplacePolicy: v.optional(v.string()),
});
type WrittenResource = v.InferOutput<typeof resourceSchema>;

/** A template as it is uploaded. */
export const templateSchema = v.object({
	Resources: v.record(v.string(), resourceSchema),
	Outputs: v.optional(
		v.record(v.string(), v.object({ Value: v.unknown(), Export: v.optional(v.object({ Name: v.string() })) })),
		{},
	),
});
type Template = v.InferOutput<typeof templateSchema>;

/** What `Ref` and `Fn::GetAtt` answer for a resource of a type; its logical id where nothing is said. */
const answers: Readonly<Record<string, Readonly<Record<string, (name: (property: string) => string, id: string) => string>>>> = {
	'AWS::ApiGatewayV2::Api': { ApiEndpoint: (_, id) => `https://${id.toLowerCase()}.execute-api.${region}.amazonaws.com` },
	'AWS::ApiGatewayV2::DomainName': {
		Ref: (name) => name('DomainName'),
		RegionalDomainName: (_, id) => `d-${id.toLowerCase()}.execute-api.${region}.amazonaws.com`,
	},
	'AWS::CloudWatch::Alarm': { Arn: (_, id) => arnOf('cloudwatch', `alarm:${id}`) },
	'AWS::IAM::ManagedPolicy': { Ref: (_, id) => `arn:aws:iam::${account}:policy/${id}` },
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
export const resolver = (template: Template, exported: ReadonlyMap<string, string>) => {
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
