import type { Quality } from '#domain/reading/quality.ts';
import { Icon } from './icon.tsx';

/** Properties of QualityMark. `word` is the quality in the user's language. */
export interface QualityMarkProps {
	readonly quality: Quality;
	readonly word: string;
}

/** The mark of a quality with its word: violet and bold for whatever is not good, grey for good. */
export function QualityMark({ quality, word }: QualityMarkProps) {
	return (
		<span class={quality === 'good' ? 'quality good' : 'quality'}>
			<Icon name={`q-${quality}`} />
			{word}
		</span>
	);
}
