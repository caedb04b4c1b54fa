import { limitsSuite } from '#test/support/totals/limits-suite.ts';

limitsSuite(300);
