import { describe, expect, test } from 'vitest';
import { capsOf, firstReached } from '#infra/aws/caps.ts';
import { deployedEndpoints } from '#infra/aws/deployed-endpoints.ts';
import { shippedSettings } from '#test/support/cost/shipped-settings.ts';

const capOf = (caps: ReturnType<typeof capsOf>, setting: string) => {
	const { perSecond, endpoints } = caps.find((cap) => cap.setting === setting) ?? expect.unreachable();
	return { perSecond, endpoints };
};

describe('capsOf', () => {
	test('has the reservation of a function, at 0.3 s a request, and what all of them leave to the others', () => {
		const settings = shippedSettings('production', { accountConcurrency: 1000 });
		const caps = capsOf(settings);
		expect(capOf(caps, 'reservedConcurrency.multipleDataTsdb')).toEqual({ perSecond: 516, endpoints: ['multipleDataTsdb'] });
		const others = capOf(caps, 'accountConcurrency');
		expect(others.perSecond).toBe(1406);
		expect(others.endpoints).toContain('getVarsTsdb');
		expect(others.endpoints).not.toContain('multipleDataTsdb');
		const reserved = caps.flatMap(({ setting, endpoints }) => (setting.startsWith('reserved') ? endpoints : []));
		expect([...reserved, ...others.endpoints].sort()).toEqual(
			deployedEndpoints(settings)
				.map(({ name }) => name)
				.sort(),
		);
	});

	test('has one pool for all functions where nothing is reserved', () => {
		const settings = shippedSettings('dev', { accountConcurrency: 10 });
		const caps = capsOf(settings);
		expect(capOf(caps, 'accountConcurrency')).toEqual({
			perSecond: 33,
			endpoints: deployedEndpoints(settings).map(({ name }) => name),
		});
		expect(caps.some(({ setting }) => setting.startsWith('reserved'))).toBe(false);
	});

	test('has the limit of all routes without those that have one each', () => {
		const caps = capsOf(shippedSettings('production', { publicDocs: true }));
		const { perSecond, endpoints } = capOf(caps, 'throttling.requests');
		expect(perSecond).toBe(1000);
		const each = caps.filter(({ setting }) => /^throttling\.(signIn|public)$/.test(setting));
		expect(each.every(({ endpoints: limited }) => limited.length === 1)).toBe(true);
		expect(each.flatMap((cap) => (cap.setting === 'throttling.signIn' ? cap.endpoints : []))).toContain('renewToken');
		expect(each.flatMap((cap) => cap.endpoints).filter((name) => endpoints.includes(name))).toEqual([]);
		expect(endpoints).not.toContain('jwks');
	});

	test('has units of DynamoDB where the settings limit them', () => {
		expect(capsOf(shippedSettings('production')).some(({ setting }) => setting.startsWith('max'))).toBe(false);
		const caps = capsOf(shippedSettings('production', { maxReadRequestUnits: 2700, maxWriteRequestUnits: 400 }));
		expect(capOf(caps, 'maxReadRequestUnits')).toEqual({ perSecond: 100, endpoints: ['getAlarms'] });
		const writes = capOf(caps, 'maxWriteRequestUnits');
		expect(writes.perSecond).toBe(100);
		expect(writes.endpoints).toEqual(expect.arrayContaining(['saveVariable', 'saveChart', 'saveBombs', 'deleteVar']));
	});
});

test('firstReached names the cap that is reached first by these requests, and at how many times of them', () => {
	const caps = [
		{ setting: 'a', perSecond: 30, endpoints: ['history', 'totals'] },
		{ setting: 'b', perSecond: 10, endpoints: ['getAlarms'] },
		{ setting: 'c', perSecond: 1, endpoints: ['jwks'] },
	] as const;
	const of = (history: number, totals: number, getAlarms: number) => {
		const { cap, times } = firstReached(caps, new Map(Object.entries({ history, totals, getAlarms }) as never));
		return [cap.setting, times];
	};
	expect(of(1, 2, 1)).toEqual(['a', 10]);
	expect(of(1, 1, 1)).toEqual(['b', 10]);
	expect(of(0, 0, 20)).toEqual(['b', 0.5]);
});
