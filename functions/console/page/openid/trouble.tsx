import { signal } from '@preact/signals';
import type { Failure } from '#page/core/api.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { CopyButton } from '#page/parts/copy-button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { signInText } from '#page/screens/sign-in/texts.ts';
import { openIdText } from './texts.ts';

/**
 * Why nobody is signed in: the name of a sentence; `somebodyElse`: another person signed in than the one whose session the tab keeps; or why a
 * request failed.
 */
export const trouble = signal<
	'signedOut' | 'refused' | 'noStorage' | 'insecure' | { readonly somebodyElse: string } | Failure | null
>(null);

/** Says why nobody is signed in. */
export function Trouble() {
	const text = openIdText();
	const found = trouble.value;
	return (
		<div role={found === 'signedOut' ? 'status' : 'alert'}>
			{found !== null &&
				(typeof found === 'string' ? (
					<Line text={text[found]} />
				) : 'somebodyElse' in found ? (
					<Line text={text.somebodyElse(found.somebodyElse)} />
				) : (
					<Refusal failure={found} />
				))}
		</div>
	);
}

/** One sentence. */
function Line({ text, lang }: { readonly text: string; readonly lang?: string }) {
	return (
		<p class={trouble.value === 'signedOut' ? 'line' : 'refusal'} lang={lang}>
			<Icon name={trouble.value === 'signedOut' ? 'i-user' : 'q-bad'} />
			{text}
		</p>
	);
}

/** Why the service, or the provider behind it, signed nobody in. Who has no grant gets what to tell the administrator. */
function Refusal({ failure: { kind, status, errors } }: { readonly failure: Failure }) {
	const text = signInText();
	const error = Object.values(errors)[0];
	if (kind === 'unreachable') return <Line text={text.unreachable} />;
	if (error === undefined) return <Line text={text.failed(status)} />;
	const { provider, claims } = error.params;
	if (error.code !== 'no_grant') return <Line {...problemText(error)} />;
	return <NoGrant told={[`provider=${provider}`, ...(Array.isArray(claims) ? claims : [])].join('\n')} />;
}

/** What a person without a grant tells the administrator: what the provider says of the person. */
function NoGrant({ told }: { readonly told: string }) {
	const text = openIdText();
	return (
		<>
			<Line text={text.noGrant} />
			<pre class="panel told">{told}</pre>
			<CopyButton value={told} />
		</>
	);
}
