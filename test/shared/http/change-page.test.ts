import { describe, expect, test } from 'vitest';
import { changeQuestionOf } from '#http/change-page.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const now = Date.UTC(2026, 10, 21, 12);

const readOf = (query: Readonly<Record<string, string>>) =>
	changeQuestionOf(makeEvent('GET /changes', { query }), { readsAccess: true, now }).read;

describe('the query of the journal of changes', () => {
	test.each([
		['an e-mail in any case', 'Ana@Utility.example', 'ana@utility.example'],
		['the client id of a machine, whose case counts', 'Qx7RbTn2LkPz0WmYc4Vd', 'Qx7RbTn2LkPz0WmYc4Vd'],
		['the subject of a person without an e-mail', 'User-7', 'User-7'],
		['the name of a command', 'schema check', 'schema check'],
	])('selects by an actor: %s', (_, sent, actor) => {
		expect(readOf({ actor: sent })).toMatchObject({ actor });
	});

	test.each([
		['person', 'Ana@Utility.example', 'ana@utility.example'],
		['session', 'Ana@Utility.example', 'ana@utility.example'],
		['session', 'Qx7RbTn2LkPz0WmYc4Vd', 'Qx7RbTn2LkPz0WmYc4Vd'],
		['machine', 'Qx7RbTn2LkPz0WmYc4Vd', 'Qx7RbTn2LkPz0WmYc4Vd'],
		['grant', 'entra:9f86d081884c7d659a2feaa0c55ad015', 'entra:9f86d081884c7d659a2feaa0c55ad015'],
		['chart', '29', 29],
	])('selects by an item of the kind %s: %s', (kind, sent, itemId) => {
		expect(readOf({ kind, itemId: sent })).toMatchObject({ kinds: [kind], itemId });
	});
});
