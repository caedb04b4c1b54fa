import { describe } from 'vitest';
import { changeSuite } from '#test/support/alarms/change-suite.ts';
import { crashSuite } from '#test/support/alarms/crash-suite.ts';
import { sqliteStores } from '#test/support/alarms/tick-plant.ts';

describe('ticks on SQLite', () => {
	crashSuite(sqliteStores, 5000);
	changeSuite(sqliteStores, 100, 100);
});
