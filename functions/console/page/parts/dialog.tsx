import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { expired } from '#page/core/session.ts';
import { AlarmAnnouncer } from './alarm-announcer.tsx';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

/** A dialog is open while it is in the page; Esc and the button of `closeLabel` ask for `onClose`. */
interface DialogProps {
	readonly title: string;
	readonly onClose: () => void;
	/** Names the button that closes. Without it there is none, because the content's own buttons are the only ways out. */
	readonly closeLabel?: string | undefined;
	readonly small?: boolean | undefined;
	readonly children: ComponentChildren;
}

/**
 * A modal dialog: the rest of the page is inert, and the focus goes back to where it was. While somebody signs in again, the dialog
 * waits with its content: the form would be inert below it.
 */
export function Dialog({ title, onClose, closeLabel, small = false, children }: DialogProps) {
	const ref = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	/** What had the focus when the session ended: in the dialog, and outside of it before. */
	const waiting = useRef<readonly (Element | null)[]>([]);
	const isExpired = expired.value;
	useLayoutEffect(() => {
		const dialog = ref.current;
		if (isExpired || dialog === null) return;
		const [inside, outside] = waiting.current;
		// A dialog that closes gives the focus back to what had it when it was shown.
		focus(outside);
		dialog.showModal();
		focus(inside);
	}, [isExpired]);
	// Runs before the sign-in form is drawn, so the focus is still where it was.
	useSignalEffect(() => {
		const dialog = ref.current;
		if (!expired.value || dialog === null || !dialog.open) return;
		const inside = document.activeElement;
		dialog.close();
		waiting.current = [inside, document.activeElement];
	});
	// Closing, and not only leaving the page, gives the focus back.
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
				// The page decides whether it closes, because something typed may be lost.
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
