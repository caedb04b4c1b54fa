import { type NumberFactsInput, numberFacts, termsOf } from './number-facts.ts';
import { reportScreenText } from './texts.ts';

/** What the function of a line tells of a number, and the terms of a balance. */
export function NumberDetails(props: NumberFactsInput) {
	const text = reportScreenText();
	const terms = termsOf(props);
	return (
		<>
			{numberFacts(props).map(({ words, isBeyond }) => (
				<p key={words} class={isBeyond ? 'bad' : undefined}>
					{words}
				</p>
			))}
			{terms !== null && terms.terms.length > 0 && (
				<>
					<p>{text.terms}</p>
					<ul>
						{terms.terms.map(({ key, words }) => (
							<li key={key}>{words}</li>
						))}
					</ul>
				</>
			)}
			{terms?.isWithoutError && <p class="muted">{text.withoutError}</p>}
		</>
	);
}
