// The settings of the site that VitePress builds.

export default { title: "Kitchen", lang: "en" };
