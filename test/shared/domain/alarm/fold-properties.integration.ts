import { foldSuite, gapSuite } from '#test/support/alarms/fold-suite.ts';
import { casesOf } from '#test/support/cases.ts';

foldSuite(casesOf(5000));
gapSuite(casesOf(2000));
