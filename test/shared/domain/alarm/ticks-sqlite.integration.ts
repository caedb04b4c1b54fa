import { describe } from 'vitest';
import { changeSuite } from '#test/support/alarms/change-suite.ts';
import { crashSuite } from '#test/support/alarms/crash-suite.ts';
import { sqliteStores } from '#test/support/alarms/tick-plant.ts';
import { casesOf } from '#test/support/cases.ts';

describe('ticks on SQLite', () => {
	crashSuite(sqliteStores, casesOf(1000));
	changeSuite(sqliteStores, casesOf(25), casesOf(25));
});
