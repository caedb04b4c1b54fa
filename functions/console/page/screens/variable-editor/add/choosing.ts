import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { readTopics } from './add-requests.ts';
import { type ChoiceRow, choiceRows } from './choice.ts';
import { createTopicStore, type TopicStore } from './topic-store.ts';

/** The state of the choice of series. */
export interface Choosing {
	readonly topics: TopicStore;
	readonly rows: ReadonlySignal<readonly ChoiceRow[]>;
	/** The keys of the series that are chosen. */
	readonly chosen: Signal<ReadonlySet<string>>;
	/** Whether the choice is done, so that the chosen series are described now. */
	readonly isDone: Signal<boolean>;
}

/** Creates the state of a choice. */
export function createChoosing(): Choosing {
	const topics = createTopicStore(readTopics);
	return {
		topics,
		rows: computed(() => choiceRows(topics.series.value.values())),
		chosen: signal<ReadonlySet<string>>(new Set()),
		isDone: signal(false),
	};
}
