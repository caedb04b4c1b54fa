import type { Failure } from '#page/core/api.ts';
import { Button } from '#page/parts/button.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { trendText } from './texts.ts';

/** Stands in the plot's place when a range could not be read: what the service said, and a button that reads again. */
export function TrendFailure({ failure, onRetry }: { readonly failure: Failure; readonly onRetry: () => void }) {
	const text = trendText();
	return (
		<div class="plot stack">
			<Problems failure={failure} fallback={text.failed} />
			<Button onClick={onRetry}>{text.tryAgain}</Button>
		</div>
	);
}
