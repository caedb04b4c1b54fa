import { casesOf } from '#test/support/cases.ts';
import { wasDeleted } from './check.ts';
import { corrected } from './commands.ts';
import { describeRaces } from './describe-races.ts';

describeRaces(
	'a correction, a report and their variable are saved and deleted at once',
	casesOf(200),
	corrected,
	['saved', 'refused', 'deleted', 'left'],
	(done) => {
		const save = done.find(({ action, mark }) => action.do === 'save correction' && !mark.startsWith('first'));
		const deletion = done.find(({ action }) => action.do === 'delete board' && action.kind === 'correction');
		const saved = { answered: ['saved'], refused: ['refused'], unknown: [] }[save?.outcome.kind ?? 'unknown'];
		return [...saved, deletion !== undefined && wasDeleted(deletion.outcome) ? 'deleted' : 'left'];
	},
);
