import { changeSuite } from '#test/support/alarms/change-suite.ts';
import { sqliteStores } from '#test/support/alarms/tick-plant.ts';

changeSuite(sqliteStores, 25);
