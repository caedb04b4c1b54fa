import { casesOf } from '#test/support/cases.ts';
import { limitsSuite } from '#test/support/totals/limits-suite.ts';

limitsSuite(casesOf(1000));
