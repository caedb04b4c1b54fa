import { crashSuite } from '#test/support/alarms/crash-suite.ts';
import { sqliteStores } from '#test/support/alarms/tick-plant.ts';

crashSuite(sqliteStores, 30);
