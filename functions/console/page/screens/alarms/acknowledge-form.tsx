import type { Signal } from '@preact/signals';
import type { ListedAlarm } from '#page/core/alarms.ts';
import { connection } from '#page/core/poll.ts';
import { Button } from '#page/parts/button.tsx';
import { acknowledgeSeen } from './alarm-acts.ts';
import { CommentField } from './comment-field.tsx';
import { alarmText } from './texts.ts';

/** Properties of AcknowledgeForm. `comment` outlives it: what is typed stays when somebody else acknowledges, and the alarm is raised again. */
export interface AcknowledgeFormProps {
	readonly alarm: ListedAlarm;
	readonly comment: Signal<string>;
}

/** Acknowledges the occurrence of one alarm that is on the screen, with a comment. */
export function AcknowledgeForm({ alarm, comment }: AcknowledgeFormProps) {
	const isLost = connection.value === 'lost';
	return (
		<form
			class="form"
			noValidate
			onSubmit={(event) => {
				event.preventDefault();
				void acknowledgeSeen([alarm], comment.value).then((isDone) => {
					if (isDone) comment.value = '';
				});
			}}
		>
			<CommentField comment={comment} disabled={isLost} />
			<Button type="submit" look="primary" wide disabled={isLost}>
				{alarmText().acknowledgeOccurrence(alarm.occurrence)}
			</Button>
		</form>
	);
}
