import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tableNames } from '#shared/tables.ts';
import { ofType, openSynthesis, stubBundles } from '#test/support/templates.ts';

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
}, 120_000);
afterAll(() => synthesis.close());

const replicaSchema = v.object({ ReadOnDemandThroughputSettings: v.optional(v.unknown()) });
const tableSchema = v.object({
	BillingMode: v.literal('PAY_PER_REQUEST'),
	WriteOnDemandThroughputSettings: v.optional(v.unknown()),
	Replicas: v.tuple([replicaSchema]),
});
const limitsIn = (overrides: Readonly<Record<string, unknown>>) =>
	ofType(synthesis.synthesize('dev', overrides).data.resources, 'AWS::DynamoDB::GlobalTable', tableSchema).map(
		({ properties: { WriteOnDemandThroughputSettings: write, Replicas } }) => [Replicas[0].ReadOnDemandThroughputSettings, write],
	);

test('each table reads and writes as much as the account may, unless the settings say less', () => {
	expect(limitsIn({})).toEqual(tableNames.map(() => [undefined, undefined]));
	expect(limitsIn({ maxReadRequestUnits: 4000, maxWriteRequestUnits: 1000 })).toEqual(
		tableNames.map(() => [{ MaxReadRequestUnits: 4000 }, { MaxWriteRequestUnits: 1000 }]),
	);
});
