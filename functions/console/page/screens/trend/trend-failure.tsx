import type { Failure } from '#page/core/api.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { trendText } from './texts.ts';

/** Stands in the plot's place when a range could not be read: what the service said, and a button that reads again. */
export function TrendFailure({ failure, onRetry }: { readonly failure: Failure; readonly onRetry: () => void }) {
	const text = trendText();
	return (
		<div class="plot">
			<Banner look="error" icon="q-bad" action={<Button onClick={onRetry}>{text.tryAgain}</Button>}>
				<p>{text.failed}</p>
				{Object.entries(failure.errors).map(([field, entry]) => {
					const { text: sentence, lang } = problemText(entry);
					return (
						<p key={field} lang={lang}>
							{sentence}
						</p>
					);
				})}
			</Banner>
		</div>
	);
}
