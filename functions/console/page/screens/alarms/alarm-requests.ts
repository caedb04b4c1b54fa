import type { Schemas } from '#page/core/api.ts';
import { api, resultOf } from '#page/core/api.ts';
import { variables } from '#page/core/definitions.ts';
import { type DraftRequests, foundIn, type Versioned } from '#page/core/draft-editor.ts';
import { wrongAnswer } from '#page/core/wrong-answer.ts';
import { type AlarmDraft, alarmBodyOf, alarmDraftOf, alarmProblems } from './alarm-draft.ts';

/** Checks, saves and reads an alarm. */
export const alarmRequests: DraftRequests<AlarmDraft> = {
	check: (draft) => alarmProblems(draft, variables.rows.value),
	// A new alarm begins without a threshold. That counts as wrong only after the first try to save.
	isMissing: (field, { id, threshold }) => field === 'threshold' && threshold === null && id === 0,
	save: async (draft, header) => {
		const result = await resultOf(api.POST('/saveAlarm', { params: { header }, body: alarmBodyOf(draft) }));
		if (!result.ok) return result;
		const { data: saved } = result.data;
		// Only the answer to a dry run has `alarm`.
		if ('alarm' in saved) throw wrongAnswer('save');
		return { ...result, data: storedAlarmDraft(saved) };
	},
	read: async ({ id }) => foundIn(await resultOf(api.GET('/getAlarms')), id, storedAlarmDraft),
};

function storedAlarmDraft(alarm: Schemas['Alarm']): Versioned<AlarmDraft> {
	return { content: alarmDraftOf(alarm), version: alarm.version };
}
