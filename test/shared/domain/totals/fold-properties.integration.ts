import { foldSuite } from '#test/support/totals/fold-suite.ts';

foldSuite(20_000);
