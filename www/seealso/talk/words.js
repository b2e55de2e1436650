// Every word about talk and follow-up questions that a reader may see, but for the replies to greetings.

export const words = {
  askedAs: "Asked as:",
  asIs: "Ask the words as they stand",
  searchAll: "Search for these words all the same",
};
