import { expect, test } from 'vitest';
import { openState } from '#infra/local/wiring/state.ts';
import { claimState } from '#infra/local/wiring/state-use.ts';

const directory = { STATE_DIR: 'state' };
const notes = async () => (await openState('memory')).keyValues;

test('a state of production is for production only', async () => {
	const keyValues = await notes();
	await claimState(keyValues, 'trial', directory);
	await claimState(keyValues, 'production', directory);
	await claimState(keyValues, 'production', directory);
	await expect(claimState(keyValues, 'demo', directory)).rejects.toThrow(
		'state is of production (caudal serve), and this is the demo',
	);
	await expect(claimState(keyValues, 'trial', directory)).rejects.toThrow(
		'and this is a trial (npm start): set another STATE_DIR.',
	);
});

test('a state of the demo becomes none of production, and the refusal names the way', async () => {
	const keyValues = await notes();
	await claimState(keyValues, 'demo', directory);
	await claimState(keyValues, 'trial', directory);
	await expect(claimState(keyValues, 'production', directory)).rejects.toThrow('npm run schema -- export and import');
});

test('a state of an earlier version is of the demo when the plant ran, but not for its users alone', async () => {
	const keyValues = await notes();
	await keyValues.set('seeded-users', []);
	await claimState(keyValues, 'production', directory);
	const other = await notes();
	await other.set('plant', {});
	await expect(claimState(other, 'production', directory)).rejects.toThrow('is of the demo');
});
