import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { nonEmpty, readConfig } from '#shared/config.ts';

/**
 * The CDK app, for the emulator of AWS. It runs the project's app unchanged, then replaces the alarms that the emulator refuses (on
 * metric math, and composite ones) in the written templates by alarms that never ring. When the emulator updates a nested stack, it forgets the
 * ARNs of what is there: so it replaces the dashboard, too, and an output that is the ARN of a role by the same ARN from its name. Everything else is
 * deployed as it is.
 */
const { CDK_OUTDIR } = readConfig(v.object({ CDK_OUTDIR: nonEmpty }));

const templateSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.looseObject({
		Resources: v.record(v.string(), v.looseObject({ Type: v.string(), Properties: v.optional(v.looseObject({})) })),
		Outputs: v.optional(v.record(v.string(), v.looseObject({ Value: v.unknown() })), {}),
	}),
);

const roleArn = v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) });

const refused: ReadonlySet<string> = new Set(['AWS::CloudWatch::CompositeAlarm', 'AWS::CloudWatch::Dashboard']);

/** An alarm that the emulator accepts. */
const standIn = {
	Type: 'AWS::CloudWatch::Alarm',
	Properties: {
		Namespace: 'Caudal',
		MetricName: 'StandIn',
		Statistic: 'Sum',
		Period: 300,
		ComparisonOperator: 'GreaterThanOrEqualToThreshold',
		Threshold: 1,
		EvaluationPeriods: 1,
		TreatMissingData: 'notBreaching',
	},
} as const;

execFileSync(process.execPath, ['infra/aws/app.ts'], { stdio: 'inherit' });

for (const name of readdirSync(CDK_OUTDIR).filter((each) => each.endsWith('.template.json'))) {
	const file = join(CDK_OUTDIR, name);
	const template = v.parse(templateSchema, readFileSync(file, 'utf8'));
	const Resources = Object.fromEntries(
		Object.entries(template.Resources).map(([id, resource]) => [
			id,
			refused.has(resource.Type) || resource.Properties?.['Metrics'] !== undefined ? standIn : resource,
		]),
	);
	const Outputs = Object.fromEntries(
		Object.entries(template.Outputs).map(([id, output]) => {
			const role = v.is(roleArn, output.Value) ? output.Value['Fn::GetAtt'][0] : '';
			const isRole = template.Resources[role]?.Type === 'AWS::IAM::Role';
			return [id, isRole ? { ...output, Value: { 'Fn::Sub': `arn:aws:iam::\${AWS::AccountId}:role/\${${role}}` } } : output];
		}),
	);
	writeFileSync(file, JSON.stringify({ ...template, Resources, Outputs }));
}
