import type { ComponentChildren } from 'preact';
import type { Failure } from '#page/core/api.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Banner } from './banner.tsx';

/** `fallback` is shown when the service gave no reason. `action` is a button that solves the problem. */
interface ProblemsProps {
	readonly failure: Failure;
	readonly fallback: string;
	readonly action?: ComponentChildren;
}

/** Says why a request failed: a sentence for each field, in the user's language where there is a translation. */
export function Problems({ failure, fallback, action }: ProblemsProps) {
	const entries = Object.entries(failure.errors);
	return (
		<Banner look="error" icon="q-bad" action={action}>
			{entries.length === 0 && fallback}
			{entries.map(([field, entry]) => {
				const { text, lang } = problemText(entry);
				return (
					<p key={field}>
						<span lang={lang}>{text}</span>
					</p>
				);
			})}
		</Banner>
	);
}
