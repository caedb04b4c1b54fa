import { expect, test, vi } from 'vitest';
import type { TotalChoice } from '#page/screens/trend/trend-totals.ts';

// The page's client and its route take these when they are loaded.
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { unitOfTotal } = await import('#page/screens/trend/trend-totals.ts');
vi.unstubAllGlobals();

test.each<[TotalChoice, string, string]>([
	['totalPerH', 'm³/h', 'm³'],
	['totalPerMin', 'l/min', 'l'],
	['totalPerS', 'l/s', 'l'],
	['totalPerH', 'kW', 'kW·h'],
	['totalPerMin', 'kW', 'kW·min'],
	['totalPerS', 'kW', 'kW·s'],
	// Milligrams in a litre are no rate.
	['totalPerH', 'mg/l', 'mg/l·h'],
	// A rate that is counted by another time is multiplied by that time.
	['totalPerH', 'l/s', 'l/s·h'],
	['totalPerMin', 'm³/h', 'm³/h·min'],
	['totalPerH', '', 'h'],
	['mean', 'm³/h', 'm³/h'],
	['increase', 'm³', 'm³'],
	['increase', '', ''],
	['max', 'kW', 'kW'],
	['onTime', '', 'h'],
	['starts', '', ''],
])('the unit of %s of %s is %s', (choice, unit, expected) => {
	expect(unitOfTotal(choice, unit)).toBe(expected);
});
