import { foldSuite, gapSuite } from '#test/support/alarms/fold-suite.ts';

foldSuite(2000);
gapSuite(500);
