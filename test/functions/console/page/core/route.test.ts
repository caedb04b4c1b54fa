import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { hrefOf, parseRoute } = await import('#page/core/route.ts');
vi.unstubAllGlobals();

test.each([
	['', 'overview', null, ''],
	['#/trend?ids=4,16&range=24h', 'trend', null, 'ids=4%2C16&range=24h'],
	['#/variables/23', 'variables', '23', ''],
	['#/variables/', 'variables', null, ''],
	['#/nothing/1', 'overview', '1', ''],
	['#/variables/%E0%A4%A', 'variables', '%E0%A4%A', ''],
])('the address %s names %s, %s, %s', (hash, screen, item, params) => {
	const found = parseRoute(hash);
	expect([found.screen, found.item, found.params.toString()]).toEqual([screen, item, params]);
});

test('an address that was made is parsed back', () => {
	const href = hrefOf('trend', 'a/b?c', { ids: '4,16', title: 'Ünïcode & more' });
	const { screen, item, params } = parseRoute(href);
	expect([screen, item, params.get('ids'), params.get('title')]).toEqual(['trend', 'a/b?c', '4,16', 'Ünïcode & more']);
	expect(hrefOf('alarms')).toBe('#/alarms');
	expect(hrefOf('alarms', undefined)).toBe('#/alarms');
});
