import { expect, test } from 'vitest';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoPacks } from '#adapters/dynamo/packs.ts';
import type { Bit } from '#domain/variable/bit.ts';
import type { Query } from '#domain/variable/query.ts';
import { type BitCompressedVariable, type CalculatedVariable, parseVariable, toJson } from '#domain/variable/variable.ts';
import { makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';

test('packing takes little of the time that a run has for all schemas', async () => {
	const dynamo = openDynamo({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:1' });
	let stored = 0;
	dynamo.client.send = async () => {
		stored += 1;
	};
	const definitions = new Map(
		Array.from({ length: 2000 }, (_, index) => {
			const names = ['a', 'b', 'c', 'd'].map((name) => `${name}${index}`);
			const queries = names.map((name) => [name, makeQuery({ calc_topic: `plant/pump_${(index * 7919) % 10_007}/${name}` })]);
			const body = { ...makeCalculatedBody(names.join(' + ')), id: index + 1, varsTsdb: Object.fromEntries(queries) };
			return [index + 1, { variable: parseVariable(body), version: 1, deleting: false }];
		}),
	);
	const before = process.threadCpuUsage();
	await createDynamoPacks(dynamo, { variables: 'v' }).replace('s', { revision: 1, listed: 1, mark: 1 }, definitions);
	const { user, system } = process.threadCpuUsage(before);
	expect(stored).toBe(2 + Math.ceil(2001 / 64));
	expect((user + system) / 1_000_000, 'seconds of a CPU').toBeLessThan(1.5);
	dynamo.close();
});

/**
 * Every field of variables. The type check fails where one is added: raise `format` in packs.ts then, and its number here. Otherwise definitions
 * that an earlier release packed, after a rollback, would lack the field.
 */
const query: Required<Query> = {
	calc_topic: 't',
	calc_field: 'value',
	calc_time: 1,
	calc_unit: 'h',
	calc_unit_topic: 'h',
	calc_period: 1,
	calc_unit_period: 'm',
	calc_type_period: 'last',
	calc_tags: { site: 'n' },
};
const bit: Required<Bit> = { id: 1, name: 'b', bit: 0 };
const common = { id: 1, name: 'a', unit: 'm', type: 'last', process: 'p', varsTsdb: new Map([['a', query]]) } as const;
const equation = [{ type: 'variable', value: 'a' }] as const;
const calculated: Required<CalculatedVariable> = { ...common, calc: true, binary_compressed: false, equation };
const compressed: Required<BitCompressedVariable> = { ...common, calc: false, binary_compressed: true, bits: [bit] };

test('packs of format 1 have these fields of variables', async () => {
	const dynamo = openDynamo({ region: 'eu-west-1', endpoint: 'http://127.0.0.1:1' });
	const formats: unknown[] = [];
	dynamo.client.send = async (command: { readonly input: unknown }) => {
		formats.push(Object(command.input).Item.format);
	};
	await createDynamoPacks(dynamo, { variables: 'v' }).replace('s', { revision: 1, listed: 1, mark: 1 }, new Map());
	expect(formats).toEqual([0, 1]);
	for (const variable of [calculated, compressed]) expect(parseVariable(toJson(variable))).toEqual(variable);
	dynamo.close();
});
