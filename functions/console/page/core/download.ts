/** Lets the browser save a table as a CSV file. */
export function downloadCsv(name: string, text: string): void {
	downloadFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
}

/** Lets the browser save a file. */
export function downloadFile(name: string, content: Blob): void {
	const url = URL.createObjectURL(content);
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	// The address must stay valid for a while, because the browser starts the download later.
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}
