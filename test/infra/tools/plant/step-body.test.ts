import { expect, test } from 'vitest';
import { bodyOfSave } from '#infra/tools/plant/step-body.ts';

const query = { calc_topic: 'modbus', calc_tags: { slave_id: '1' } };
const { calc_tags: _, ...plain } = query;

test('a save of a variable removes tags that its file lacks, and sends nothing else where none are stored', () => {
	const save = (before: object | null, after: object) =>
		bodyOfSave({ kind: 'variable', before: before as never, content: after as never, id: 3 })['varsTsdb'];
	expect(save({ varsTsdb: { a: query } }, { varsTsdb: { b: plain } })).toEqual({ b: { ...plain, calc_tags: null } });
	expect(save({ varsTsdb: { a: query } }, { varsTsdb: { a: query } })).toEqual({ a: query });
	expect(save({ varsTsdb: { a: plain } }, { varsTsdb: { a: plain } })).toEqual({ a: plain });
	expect(save(null, { varsTsdb: { a: query } })).toEqual({ a: query });
});
