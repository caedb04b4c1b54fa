import { casesOf } from '#test/support/cases.ts';
import { drawn } from './commands.ts';
import { describeRaces } from './describe-races.ts';

describeRaces(
	'a diagram is saved while a variable of it is deleted, and another loses a bit',
	casesOf(200),
	drawn,
	['drawing saved', 'drawing refused', 'bits saved', 'bits refused'],
	(done) => {
		const changes = done.filter(({ mark }) => !mark.startsWith('first'));
		return changes.flatMap(({ action, outcome }) => {
			const name = action.do === 'save diagram' ? 'drawing' : 'bits';
			if (action.do === 'delete variable' || outcome.kind === 'unknown') return [];
			return [`${name} ${outcome.kind === 'answered' ? 'saved' : 'refused'}`];
		});
	},
);
