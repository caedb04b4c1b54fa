import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { fileSchemaText } from '#infra/tools/plant/file-schema.ts';
import { readPlant } from '#infra/tools/plant/plant-api.ts';
import { writePlantFile } from '#infra/tools/plant/plant-file.ts';
import { randomFrom } from '#test/support/alarms/random.ts';
import { openInProcess } from '#test/support/plant/in-process.ts';
import { randomPlant, savePlant } from '#test/support/plant/random-plant.ts';

const committed = new URL('../../../../infra/tools/plant/plant.schema.json', import.meta.url);

test('the JSON Schema beside the code is that of the release: npm run -s plant -- file-schema > infra/tools/plant/plant.schema.json', () => {
	expect(JSON.parse(readFileSync(committed, 'utf8'))).toEqual(JSON.parse(fileSchemaText()));
});

test('the JSON Schema allows what a pull writes, and no field that has no effect', async () => {
	const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(fileSchemaText()));
	const service = await openInProcess();
	for (let seed = 1; seed <= 20; seed += 1) {
		const random = randomFrom(seed);
		await savePlant((request) => service.call(`s${seed}`, request), randomPlant(random), random);
		const file = JSON.parse(writePlantFile(await readPlant(service.session(`s${seed}`))));
		expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
		file.variables[0].varId = 3;
		expect(validate(file)).toBe(false);
	}
	await service.close();
});
