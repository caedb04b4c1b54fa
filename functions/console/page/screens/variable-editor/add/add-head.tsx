import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { addText } from './add-texts.ts';

/** The steps in their order: choosing series, describing each as a variable, creating the variables. */
const steps = ['choose', 'describe', 'create'] as const;

interface AddHeadProps {
	/** The present step. */
	readonly step: (typeof steps)[number];
	/** The buttons. */
	readonly children: ComponentChildren;
}

/** The title with the steps. Each step draws a head of its own, so this one is mounted when its step begins. */
export function AddHead({ step, children }: AddHeadProps) {
	const title = useRef<HTMLHeadingElement>(null);
	const present = steps.indexOf(step);
	// The button that led here is gone, so the title gets the focus. The first step begins when the screen is opened.
	useLayoutEffect(() => {
		if (step !== 'choose') title.current?.focus();
	}, []);
	return (
		<div class="head">
			<a class="muted" href={hrefOf('variables')}>
				{commonText().variables} /
			</a>
			<h1 ref={title} tabIndex={-1}>
				{commonText().addFromDatabase}
			</h1>
			<ol class="steps" aria-label={addText().stepsLabel}>
				{addText().steps.map((name, index) => (
					<li key={name} aria-current={index === present ? 'step' : undefined} class={index < present ? 'done' : undefined}>
						<span aria-hidden="true">{index < present ? '✓' : index + 1}</span>
						{name}
					</li>
				))}
			</ol>
			<div class="actions">{children}</div>
		</div>
	);
}
