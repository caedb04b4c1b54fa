/**
 * Replaces `./HttpBindingNormalizedSchema`. The services that the functions call take POST requests with a JSON body, so an
 * operation has no bindings to paths, queries, headers or host names.
 */
export const getHttpOperationBindings = (): readonly [] => [];

/** Is read only for operations with a host name of their own. */
export const HttpBindingNormalizedSchema = undefined;
