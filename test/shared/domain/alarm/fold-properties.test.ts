import { foldSuite } from '#test/support/alarms/fold-suite.ts';

foldSuite(2000);
