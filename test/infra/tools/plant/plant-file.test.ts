import { expect, test } from 'vitest';
import { parsePlantFile } from '#infra/tools/plant/plant-file.ts';

test('the fault of a file that is nested too deeply has the path of the form that every fault has', () => {
	let deep: object = {};
	for (let depth = 0; depth < 40; depth += 1) deep = { a: deep };
	const { file, faults } = parsePlantFile(JSON.stringify({ charts: [{}, { series: [deep] }] }));
	expect(file).toBeNull();
	expect(faults).toHaveLength(1);
	expect(faults[0]?.path).toMatch(/^charts\[1\]\.series\[0\]\.a\.a/);
});
