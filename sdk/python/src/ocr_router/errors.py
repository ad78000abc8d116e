class OcrError(Exception):
    """What a call was refused or failed with, in the contract's words.

    ``code`` is ``error.code`` of the contract, or ``connection`` where no answer of a gateway came; ``status`` the HTTP status,
    or 0; ``request_id`` the id to name in a report.
    """

    def __init__(self, message, code, status, request_id=None):
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
