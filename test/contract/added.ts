/** What the contract has beyond the interface specification: every addition is a line here. */
export const ADDED_ROUTES = [['GET', '/v1/models/{model_id}', 'getModel']] as const;

export const ADDED_STATUSES: Readonly<Record<string, readonly number[]>> = {
  getModel: [200, 401, 404, 429, 500],
};

/** Added operations that need a key. */
export const ADDED_SECURED = ['getModel'];
