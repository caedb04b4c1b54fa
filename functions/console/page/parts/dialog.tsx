import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { expired } from '#page/core/session.ts';
import { AlarmAnnouncer } from './alarm-announcer.tsx';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

/** A dialog is open while it is rendered. Esc and the button `closeLabel` call `onClose`. */
interface DialogProps {
	readonly title: string;
	readonly onClose: () => void;
	/** The label of the button that closes the dialog. Without it there is no such button, and the person must use the buttons of the content. */
	readonly closeLabel?: string | undefined;
	readonly small?: boolean | undefined;
	readonly children: ComponentChildren;
}

/**
 * A modal dialog. The rest of the page is inert, and closing gives the focus back to the element that had it before. While somebody signs
 * in again, the dialog is hidden with its content, because it would make the sign-in form inert.
 */
export function Dialog({ title, onClose, closeLabel, small = false, children }: DialogProps) {
	const ref = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	/** The elements that had the focus when the session ended: the one in the dialog, and the one outside that had it before the dialog opened. */
	const focusedBefore = useRef<{ readonly inside: Element | null; readonly outside: Element | null } | null>(null);
	const isExpired = expired.value;
	useLayoutEffect(() => {
		const dialog = ref.current;
		if (isExpired || dialog === null) return;
		// When a dialog closes, the browser gives the focus back to the element that had it when the dialog was shown.
		focus(focusedBefore.current?.outside);
		dialog.showModal();
		focus(focusedBefore.current?.inside);
	}, [isExpired]);
	// Runs before the sign-in form is drawn, so the focus is still where it was.
	useSignalEffect(() => {
		const dialog = ref.current;
		if (!expired.value || dialog === null || !dialog.open) return;
		const inside = document.activeElement;
		dialog.close();
		focusedBefore.current = { inside, outside: document.activeElement };
	});
	// Removing the element does not give the focus back. Only closing it does.
	useLayoutEffect(() => {
		const dialog = ref.current;
		return () => dialog?.close();
	}, []);
	return (
		<dialog
			ref={ref}
			class={classNames('dialog', small && 'small')}
			aria-labelledby={titleId}
			onCancel={(event) => {
				// The parent component decides whether the dialog closes, because typed text may be lost.
				event.preventDefault();
				onClose();
			}}
		>
			<div class="dialog-head">
				<h2 id={titleId}>{title}</h2>
				{closeLabel !== undefined && <Button look="quiet" icon="i-x" aria-label={closeLabel} onClick={onClose} />}
			</div>
			{children}
			<AlarmAnnouncer />
		</dialog>
	);
}

function focus(element: Element | null | undefined): void {
	if (element instanceof HTMLElement) element.focus();
}
