package machine

// pin returns a wheel with its SHA-256 for amd64 and arm64.
func pin(name, version, amd64, arm64 string) wheel {
	return wheel{name, version, map[string]string{"linux/amd64": amd64, "linux/arm64": arm64}}
}

// cpuWheel has XLA's plug-in for the CPU.
var cpuWheel = pin("xla-cpu-pjrt", "0.0.1",
	"55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc",
	"8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9")

// cudaWheel has XLA's plug-in for NVIDIA's cards, which JAX 0.12.0.1 built with CUDA 13.0.0 and cuDNN 9.12.
var cudaWheel = pin("jax-cuda13-pjrt", "0.12.0.1",
	"5899bb6177eda86ea532afb9a26794f2bdd04966f6a01f9028266b16c2b6cf90",
	"40758d042df8c06991b6a1a8016b56e9cefb1ed4c677c062125c3eb71c3dab97")

// nvidiaWheels are the libraries that the run path of the plug-in leads to, which JAX requires too: the last
// release of CUDA 13.0, which runs on every driver from 580 on, with cuDNN and NCCL.
var nvidiaWheels = []wheel{
	pin("nvidia-cublas", "13.1.0.3",
		"ee8722c1f0145ab246bccb9e452153b5e0515fd094c3678df50b2a0888b8b171",
		"c86fc7f7ae36d7528288c5d88098edcb7b02c633d262e7ddbb86b0ad91be5df2"),
	pin("nvidia-cuda-cupti", "13.0.85",
		"4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8",
		"796bd679890ee55fb14a94629b698b6db54bcfd833d391d5e94017dd9d7d3151"),
	pin("nvidia-cuda-nvcc", "13.0.88",
		"56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03",
		"c7ff28f86a24effdc6c034fa15230c549a273e4771b10a7fec14996f8cf3307f"),
	pin("nvidia-cuda-nvrtc", "13.0.88",
		"ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575",
		"d27f20a0ca67a4bb34268a5e951033496c5b74870b868bacd046b1b8e0c3267b"),
	pin("nvidia-cuda-runtime", "13.0.96",
		"7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
		"ef9bcbe90493a2b9d810e43d249adb3d02e98dd30200d86607d8d02687c43f55"),
	pin("nvidia-cudnn-cu13", "9.15.1.9",
		"ebc9a647918df0d7298d67cfaf41579fd4c78ead9aba246f5ad9414d61b9ec4c",
		"44cd2ec83c3ef62a7357614bd02ce7f3dac35ffcbb04ad20999e730741f0ba17"),
	pin("nvidia-cufft", "12.0.0.61",
		"6c44f692dce8fd5ffd3e3df134b6cdb9c2f72d99cf40b62c32dde45eea9ddad3",
		"2708c852ef8cd89d1d2068bdbece0aa188813a0c934db3779b9b1faa8442e5f5"),
	pin("nvidia-cusolver", "12.0.4.66",
		"0a759da5dea5c0ea10fd307de75cdeb59e7ea4fcb8add0924859b944babf1112",
		"02c2457eaa9e39de20f880f4bd8820e6a1cfb9f9a34f820eb12a155aa5bc92d2"),
	pin("nvidia-cusparse", "12.6.3.3",
		"2b3c89c88d01ee0e477cb7f82ef60a11a4bcd57b6b87c33f789350b59759360b",
		"80bcc4662f23f1054ee334a15c72b8940402975e0eab63178fc7e670aa59472c"),
	pin("nvidia-nccl-cu13", "2.27.7",
		"b28a524abd8389b76a4a3f133c76a7aaa7005e47fcaa9d9603b90103927a3f93",
		"5e3cc863e52bf9dd1e3ab1941bddb414098f489ae7342f6b3a274602303da123"),
	pin("nvidia-nvjitlink", "13.0.88",
		"13a74f429e23b921c1109976abefacc69835f2f433ebd323d3946e11d804e47b",
		"e931536ccc7d467a98ba1d8b89ff7fa7f1fa3b13f2b0069118cd7f47bff07d0c"),
	pin("nvidia-nvvm", "13.0.88",
		"c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0",
		"c4376a291d72d22a315d9d2f69bdae8f8cd83a627f75bad395cee49a0fe65dc1"),
}
