import { foldSuite } from '#test/support/totals/fold-suite.ts';

foldSuite(300);
