import { casesOf } from '#test/support/cases.ts';
import { foldSuite } from '#test/support/totals/fold-suite.ts';

foldSuite(casesOf(5000));
