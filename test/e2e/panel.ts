import { beforeAll, describe, expect, test } from 'vitest';
import { makeBitsBody, makeBody, makePanel, makeQuery } from '#test/support/builders/builders.ts';
import { call, signIn, type Target } from './target.ts';

/** The pump-station panel (shared/domain/panel/README.md#rules). */
export const panelSuite = (target: () => Target): void => {
	describe('the panel', () => {
		let token: string;
		beforeAll(async () => {
			token = await signIn(target(), 'a');
		});
		const post = (path: string, body?: unknown) => call(target(), 'POST', path, { token, body });
		const get = () => call(target(), 'GET', '/bombs', { token });
		const saveVariable = async (
			topic: string,
			body: Record<string, unknown>,
			type: 'last' | 'mean' = 'last',
		): Promise<number> => {
			const varsTsdb = { Flow: makeQuery({ calc_topic: topic, calc_type_period: type }) };
			return (await post('/saveVariable', { ...body, varsTsdb })).body.data.id;
		};

		test('is saved, read with current states, and kept when its variables are deleted', async () => {
			expect((await get()).status).toBe(404);
			const now = Date.now();
			await target().feed(
				'plant_a',
				[`panel/pump value=2.5 ${now - 2000}`, `panel/off value=0 ${now - 2000}`, `panel/byte value=128i ${now - 2000}`].join(
					'\n',
				),
			);
			const pump = await saveVariable('panel/pump', makeBody({ type: 'history' }), 'mean');
			const off = await saveVariable('panel/off', makeBody());
			const byte = await saveVariable('panel/byte', makeBitsBody());
			const silent = await saveVariable('panel/silent', makeBody());
			const panel = makePanel(pump, {
				pumps: [
					{ id: 1, name: 'Running', varId: pump, type: 'pump' },
					{ id: 2, name: 'Stopped', varId: off, type: 'pump' },
					{ id: 3, name: 'Unknown', varId: silent, type: 'pump' },
				],
				states: [
					{ id: 1, name: 'Alarm', varId: byte, type: 'status', bit: 7 },
					{ id: 2, name: 'Pump 1', varId: byte, type: 'status', bit: 0 },
					{ id: 3, name: 'Any', varId: byte, type: 'status' },
				],
			});
			const saved = await post('/bombs', panel);
			expect(saved.status).toBe(200);
			expect(saved.body).toEqual({ data: { ...panel, version: 1 } });

			const read = (await get()).body.data;
			expect(read.title).toBe(panel.title);
			const values = [...read.pumps, ...read.states].map(({ value, unit, quality }) => [value, unit, quality]);
			expect(values).toEqual([
				[1, null, 'good'],
				[0, null, 'good'],
				[null, null, 'no_data'],
				[1, null, 'good'],
				[0, null, 'good'],
				[1, null, 'good'],
			]);

			const usages = [{ kind: 'panel', id: 0, name: panel.title }];
			expect((await post(`/deleteVar/${off}?dryRun=1`)).body).toEqual({ data: { tsdbVar: true, usages } });
			expect((await post(`/deleteVar/${off}`)).body).toEqual({ data: { tsdbVar: true } });
			const after = (await get()).body.data.pumps[1];
			expect(after).toEqual({ ...panel.pumps[1], value: null, unit: null, quality: 'missing_reference' });

			const again = await post('/bombs', panel);
			expect(again.status).toBe(400);
			expect(Object.keys(again.body)).toEqual(['pumps.1.varId']);
			const replaced = await post('/bombs', { ...panel, pumps: [panel.pumps[0]] });
			expect(replaced.body.data.version).toBe(2);
			expect((await get()).body.data.pumps).toHaveLength(1);
		});
	});
};
