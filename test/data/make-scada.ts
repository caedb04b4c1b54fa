/** `npx node test/data/make-scada.ts`: writes scada.csv, hourly samples of the simulated plant around three ends of months. */
import { writeFileSync } from 'node:fs';
import { step } from '#infra/local/demo/plant/model.ts';
import { plantSeries, samplesOf } from '#infra/local/demo/plant/sensors.ts';
import { initialState } from '#infra/local/demo/plant/state.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The periods with rows, both ends included. The plant runs on between them. */
const periods = [
	['2026-01-28T00:00:00Z', '2026-02-01T12:00:00Z'],
	['2026-02-26T00:00:00Z', '2026-03-02T00:00:00Z'],
	['2026-03-28T00:00:00Z', '2026-04-01T00:00:00Z'],
].map(([from = '', to = '']) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) }));

const startMs = Date.parse('2026-01-27T00:00:00Z');
const endMs = periods.at(-1)?.toMs ?? startMs;

const rows = [['', 'DATETIME', ...Object.keys(plantSeries), 'MODE'].join(',')];
let state = initialState;
for (let timeMs = startMs; timeMs <= endMs; timeMs += minuteMs) {
	if (timeMs % hourMs === 0 && periods.some(({ fromMs, toMs }) => fromMs <= timeMs && timeMs <= toMs)) {
		const values = samplesOf(state, timeMs).map(({ value }) => Number(value));
		const time = new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');
		rows.push([rows.length - 1, time, ...values, state.washing ? 'backwash' : 'production'].join(','));
	}
	state = step(state, timeMs, minuteMs);
}
writeFileSync(new URL('scada.csv', import.meta.url), `${rows.join('\n')}\n`);
