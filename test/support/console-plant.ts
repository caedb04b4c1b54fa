import { call, callOk, signIn, type Target } from '#test/e2e/target.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from './builders/builders.ts';

/** Saves and feeds variables of tenant b that show every quality, kind and severity. Returns their ids by name. */
export const storeStagedPlant = async (target: Target): Promise<ReadonlyMap<string, number>> => {
	const token = await signIn(target, 'b');
	const ids = new Map<string, number>();
	const save = async (body: Record<string, unknown>): Promise<void> => {
		ids.set(String(body['name']), (await callOk(target, 'POST', '/saveVariable', { token, body })).data.id);
	};
	const simple = (name: string, overrides: Record<string, unknown> = {}) =>
		save(makeBody({ name, varsTsdb: { [name]: makeQuery({ calc_topic: topicOf(name) }) }, ...overrides }));
	await simple('Fresh flow');
	await simple('Zero flow');
	await simple('Old level', { unit: 'm', process: 'tanks' });
	await simple('Silent level', { unit: 'm', process: 'tanks' });
	await simple('High level', { unit: 'm', process: 'tanks' });
	await simple('Warm pump', { unit: '°C' });
	await simple('Pump 1', { unit: 'boolean' });
	await simple('Inlet valve', { unit: 'boolean' });
	await simple('Text', { unit: '' });
	await save(makeCalculatedBody('a / b', { name: 'Ratio', process: 'tanks', varsTsdb: ratioInputs }));
	await save(
		makeBitsBody({
			name: 'Status',
			unit: '',
			process: 'control',
			varsTsdb: { Status: makeQuery({ calc_topic: topicOf('Status') }) },
		}),
	);
	const alarm = (name: string, variable: string, rest: Record<string, unknown>) =>
		call(target, 'POST', '/saveAlarm', {
			token,
			body: { id: 0, name, varId: ids.get(variable), message: `Look after ${name}.`, ...rest },
		});
	await alarm('Level high', 'High level', { condition: '>', threshold: 4, severity: 'critical' });
	await alarm('Pump warm', 'Warm pump', { condition: '>=', threshold: 60, severity: 'warning' });
	await alarm('Flow noticed', 'Fresh flow', { condition: '>', threshold: 10, severity: 'info' });
	await feedStagedPlant(target);
	return ids;
};

/** Writes samples of now to the staged plant, and an old one where one is expected. */
export const feedStagedPlant = (target: Target, values: Readonly<Record<string, number | string>> = {}): Promise<void> => {
	const now = Date.now();
	const samples: Readonly<Record<string, number | string>> = {
		'Fresh flow': 12.5,
		'Zero flow': 0,
		'High level': 4.2,
		'Warm pump': 61.5,
		'Pump 1': 1,
		'Inlet valve': 0,
		Text: '"open"',
		Status: 129,
		a: 1,
		b: 0,
		...values,
	};
	const lines = Object.entries(samples).map(([name, value]) => `${topicOf(name)} value=${value} ${now - 1000}`);
	return target.feed('plant_b', [...lines, `${topicOf('Old level')} value=3 ${now - 240_000}`].join('\n'));
};

const ratioInputs = { a: makeQuery({ calc_topic: 'staged/a' }), b: makeQuery({ calc_topic: 'staged/b' }) };

const topicOf = (name: string): string => `staged/${name.toLowerCase().replaceAll(' ', '-')}`;

/** Stores a variable of tenant a once more: it reads the same samples, and nothing was done to it yet. Returns its id. */
export const storeCopy = async (target: Target, id: number): Promise<number> => {
	const token = await signIn(target, 'a');
	const [{ version: _, ...variable }] = (await callOk(target, 'GET', `/getVarsTsdb?ids=${id}`, { token })).data;
	return (await callOk(target, 'POST', '/saveVariable', { token, body: { ...variable, id: 0 } })).data.id;
};

/** Deletes all alarms of tenant b, and stores an info one and a critical one that a test raises itself. Returns their ids by name. */
export const storeTwoAlarms = async (target: Target): Promise<ReadonlyMap<string, number>> => {
	const token = await signIn(target, 'b');
	for (const { id } of (await callOk(target, 'GET', '/getAlarms', { token })).data)
		await callOk(target, 'POST', `/deleteAlarm/${id}`, { token });
	const [{ id: varId }] = (await callOk(target, 'GET', '/getVarsTsdb', { token })).data;
	const store = async (name: string, severity: string) => {
		const body = { id: 0, name, varId, condition: '>', threshold: 1e9, severity, message: 'Look.' };
		return [name, (await callOk(target, 'POST', '/saveAlarm', { token, body })).data.id] as const;
	};
	return new Map([await store('Calm', 'info'), await store('Urgent', 'critical')]);
};
