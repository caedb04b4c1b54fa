/** Has the browser save a table as a file. */
export function downloadCsv(name: string, text: string): void {
	downloadFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
}

/** Has the browser save a file. */
export function downloadFile(name: string, content: Blob): void {
	const url = URL.createObjectURL(content);
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	// The download begins in a later task.
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}
